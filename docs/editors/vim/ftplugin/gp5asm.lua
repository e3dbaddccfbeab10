-- neovim: `gp5 lsp` serves the buffer, where gp5 is installed. One server for all of them.
if vim.fn.executable('gp5') == 0 then
  return
end
local config = { name = 'gp5', cmd = { 'gp5', 'lsp' }, root_dir = vim.fn.getcwd() }
if vim.lsp.start then
  vim.lsp.start(config)
else
  vim.g.gp5_server = vim.g.gp5_server or vim.lsp.start_client(config)
  vim.lsp.buf_attach_client(0, vim.g.gp5_server)
end
