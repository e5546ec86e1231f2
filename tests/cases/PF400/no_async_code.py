import torch


async def fetch(queue, device):
    async with queue as items:
        async for item in items:
            yield item.to(device, non_blocking=True)


OLD = "x.cuda(async=True)"  # x.cuda(async=True)
HELP = '''
    target = target.cuda(async=True)
'''
