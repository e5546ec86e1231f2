"""Arrays of other libraries have a .cuda() too."""
import cupy
import paddle


def place(x, use_cuda):
    if use_cuda:
        x = x.cuda()
    return x


print(place(paddle.to_tensor([1.0]), cupy.cuda.is_available()))
