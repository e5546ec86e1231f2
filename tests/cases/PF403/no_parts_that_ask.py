"""Another way, comments, and what does more than place stay where they are."""
import logging

import torch
from torch import nn


def either(use_cuda, head=None):
    model = nn.Linear(2, 1)
    if use_cuda:  # want: PF403 note
        logging.info("cuda")
        if head is not None:
            head.cuda()
        else:
            model.cuda()
    return model


def said(use_cuda, head=None):
    if use_cuda:  # want: PF403 note
        logging.info("cuda")
        if head is not None:  # where there is one
            head.cuda()
    return head


def more(use_cuda, head=None):
    if use_cuda:  # want: PF403 note
        logging.info("cuda")
        if head is not None:
            head = head.cuda()
            print(head)
    return head


def named_below(use_cuda):
    model = nn.Linear(2, 1)
    if use_cuda:  # want: PF403 note
        logging.info("cuda")
        model.cuda()
    device = next(model.parameters()).device
    return device


print(either(False), said(False), more(False), named_below(False))
