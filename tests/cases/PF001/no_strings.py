# rules: all
TEXT = "# placefix: ignore[PF401]"
PAGE = """
x = x.cuda()  # placefix: ignore[PF401]
# placefix: file-ignore
"""
