# rules: PF301, PF302
import torch
import torch.nn as nn
from torch.autograd import Variable
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
cuda = torch.cuda.is_available()
device = torch.device("cuda" if cuda else "cpu")


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.label_emb = nn.Embedding(3, 3)
        self.model = nn.Sequential(nn.Linear(8 + 3, 16), nn.ReLU(), nn.Linear(16, 4))

    def forward(self, noise, labels):
        gen_input = torch.cat((self.label_emb(labels), noise), -1)
        return self.model(gen_input)


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.label_emb = nn.Embedding(3, 3)
        self.model = nn.Linear(7, 1)

    def forward(self, img, labels):
        return self.model(torch.cat((img.view(img.size(0), -1), self.label_emb(labels)), -1))


adversarial_loss = torch.nn.MSELoss()
generator = Generator().to(device)
discriminator = Discriminator().to(device)
dataloader = DataLoader(TensorDataset(torch.randn(12, 4), torch.randint(0, 3, (12,))), batch_size=4)
optimizer_G = torch.optim.Adam(generator.parameters())
optimizer_D = torch.optim.Adam(discriminator.parameters())

for epoch in range(2):
    for i, (imgs, labels) in enumerate(dataloader):
        batch_size = imgs.shape[0]
        valid = Variable(torch.FloatTensor(batch_size, 1).fill_(1.0), requires_grad=False)  # want: PF302
        fake = Variable(torch.FloatTensor(batch_size, 1).fill_(0.0), requires_grad=False)  # want: PF302
        real_imgs = Variable(imgs.type(torch.FloatTensor))  # want: PF302
        labels = Variable(labels.type(torch.LongTensor))  # want: PF302

        optimizer_G.zero_grad()
        z = Variable(torch.randn(batch_size, 8))  # want: PF302
        gen_labels = Variable(torch.randint(0, 3, (batch_size,)))  # want: PF302
        gen_imgs = generator(z, gen_labels)
        g_loss = adversarial_loss(discriminator(gen_imgs, gen_labels), valid)
        g_loss.backward()
        optimizer_G.step()

        optimizer_D.zero_grad()
        d_real_loss = adversarial_loss(discriminator(real_imgs, labels), valid)
        d_fake_loss = adversarial_loss(discriminator(gen_imgs.detach(), gen_labels), fake)
        d_loss = (d_real_loss + d_fake_loss) / 2
        d_loss.backward()
        optimizer_D.step()
    print(epoch, round(d_loss.item(), 4))
