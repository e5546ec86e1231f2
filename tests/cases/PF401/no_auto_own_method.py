# options: target-torch=2.7 device-idiom=auto


class Backend:
    def cuda(self):
        return self


print(Backend().cuda())  # want: PF401 report
