# options: unsafe
# A pasted loop that places nothing.
optimizer.zero_grad()
for x, y in train_loader:
    y_hat = net(x)
    loss = loss_fn(y_hat, y)
    loss.backward()
    optimizer.step()
