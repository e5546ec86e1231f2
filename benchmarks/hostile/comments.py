"""Comments that silence findings, or nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hostile.piece import add_net, piece, seed_line

if TYPE_CHECKING:
    from adversary_program import Program


@piece(4, rules="PF001")
def _comments_that_silence(p: Program) -> None:
    """Suppressions of every form and place; some silence what stands there, others nothing."""
    net, x = add_net(p), p.name("x", "data")
    code = p.one("PF401", "PF402", "PF303", "PF201", "PF301", "PF401, PF303", "PF4", "PF999")
    word = p.one(f"# placefix: ignore[{code}]", f"# placefix: ignore[{code}]", f"# placefix: ignore[{code}] one GPU only", f"# noqa: {code.replace('PF4', 'PF401')}", f"# noqa: E501, {code}",
                 f"# placefix: file-ignore[{code}]", f"# placefix:ignore[{code}]", "# placefix: ignore", f"# type: ignore  # placefix: ignore[{code}]", f"# placefix: ignore[{code}]  # pylint: disable=all")  # fmt: skip
    moved = p.one(".cuda()", '.to("cuda")', ".cuda().cpu().cuda()", "")
    made = f"torch.ones(2, 3){moved}"
    texts = (
        f"{x} = {made}  {word}",
        f"{word}\n{x} = {made}",
        f"{x} = [  {word}\n    {made},\n][0]",
        f"{x} = (\n    torch.ones(\n        2, 3\n    ){moved}  {word}\n)",
        f"if True:\n    {x} = {made}  {word}",
        f"if True:  {word}\n    {x} = {made}",
        f'note = "{word}"\n{x} = {made}\nprint(note)',
        f'"""\n{word}\n"""\n{x} = {made}',
        f"{x} = {made}; y = 1  {word}",
        f"if True:\n    {word}\n    {x} = {made}",
        f"try:\n    {x} = {made}\nexcept ValueError:  {word}\n    pass",
        f"if True:\n    {x} = {made}\n    {word}\nelse:\n    {word}\n    pass",
        f"{x} = {made} \\\n    + 0  {word}",
    )
    p.run(f"{seed_line(p)}\n{p.chance.choice(texts)}")
    p.run(
        f"print({x}.sum().item(), {net}({p.on_gpu('torch.ones(2, 3)')}).sum().item())  {word if p.yes(0.3) else ''}".rstrip()
    )
