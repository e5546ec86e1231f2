"""The rules, in the order in which they are asked: order is meaning.

What keeps a file from being parsed comes before all. Then wraps (they decide what a placement is about), then optimizers, then tensors,
then spelling, at last the suppressions of all these; where two fixes overlap the earlier one wins and the other waits a round.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.rules import (
    pf001_unused_suppression,
    pf101_ddp_wrap_before_placement,
    pf102_dataparallel_wrap_before_placement,
    pf103_dataparallel_module_not_placed,
    pf104_dataparallel_device_mismatch,
    pf106_move_after_ddp,
    pf112_module_not_placed,
    pf201_optimizer_before_placement,
    pf203_optimizer_state_before_placement,
    pf205_non_leaf_parameter,
    pf301_batch_not_placed,
    pf302_tensor_not_placed,
    pf303_discarded_move,
    pf304_tensor_created_in_forward,
    pf305_tensor_attribute_not_buffer,
    pf306_modules_in_plain_container,
    pf307_loss_weight_not_placed,
    pf308_hidden_state_not_placed,
    pf309_lengths_on_device,
    pf310_numpy_on_device,
    pf316_layer_made_in_forward,
    pf400_legacy_async_keyword,
    pf401_hardcoded_cuda_call,
    pf402_hardcoded_cuda_string,
    pf403_guarded_cuda,
    pf404_cuda_amp_namespace,
    pf405_load_without_map_location,
    pf406_cuda_only_function,
    pf407_cuda_tensor_type,
    pf501_unplaced_script,
)

if TYPE_CHECKING:
    from placefix.diagnostic import Rule

RULES: tuple[Rule, ...] = (
    pf400_legacy_async_keyword.RULE,
    pf101_ddp_wrap_before_placement.RULE,
    pf102_dataparallel_wrap_before_placement.RULE,
    pf103_dataparallel_module_not_placed.RULE,
    pf104_dataparallel_device_mismatch.RULE,
    pf106_move_after_ddp.RULE,
    pf112_module_not_placed.RULE,
    pf201_optimizer_before_placement.RULE,
    pf203_optimizer_state_before_placement.RULE,
    pf205_non_leaf_parameter.RULE,
    pf303_discarded_move.RULE,
    pf301_batch_not_placed.RULE,
    pf302_tensor_not_placed.RULE,
    pf307_loss_weight_not_placed.RULE,
    pf309_lengths_on_device.RULE,
    pf310_numpy_on_device.RULE,
    pf304_tensor_created_in_forward.RULE,
    pf308_hidden_state_not_placed.RULE,
    pf305_tensor_attribute_not_buffer.RULE,
    pf306_modules_in_plain_container.RULE,
    pf316_layer_made_in_forward.RULE,
    pf403_guarded_cuda.RULE,
    pf401_hardcoded_cuda_call.RULE,
    pf402_hardcoded_cuda_string.RULE,
    pf404_cuda_amp_namespace.RULE,
    pf405_load_without_map_location.RULE,
    pf407_cuda_tensor_type.RULE,
    pf406_cuda_only_function.RULE,
    pf501_unplaced_script.RULE,
    pf001_unused_suppression.RULE,
)
