# The help of an option names its default, which is another one where there is no CUDA.
import argparse

import torch


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument(
        "--device",
        default="cuda" if torch.cuda.is_available() else "cpu",
        help="where to train (default: 'cuda' if available, else 'cpu')",
    )  # want: PF402
    parser.add_argument(
        "--place",
        default="cuda:0" if torch.cuda.is_available() else "cpu",
        help="where to test, default is cuda:0 if available, else cpu",
    )  # want: PF402
    parser.add_argument(
        "--target",
        default="cuda" if torch.cuda.is_available() else "cpu",
        help="cuda or cpu; default %(default)s",
    )  # want: PF402
    args = parser.parse_args([])
    x = torch.ones(2).to(args.device)
    y = torch.ones(2).to(args.place)
    print((x.sum() + y.sum()).item(), torch.ones(3, device=args.target).sum().item())


if __name__ == "__main__":
    main()
