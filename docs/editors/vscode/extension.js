// Starts `gp5 lsp`. Without the library for it (npm install in this folder) there are colours alone.
const vscode = require('vscode');

let client;

function activate() {
  let languageclient;
  try {
    languageclient = require('vscode-languageclient/node');
  } catch (error) {
    return;
  }
  const settings = vscode.workspace.getConfiguration('gp5');
  client = new languageclient.LanguageClient(
    'gp5', 'gp5', { command: settings.get('path'), args: ['lsp'] },
    { documentSelector: [{ language: 'gp5asm' }], initializationOptions: { target: settings.get('target') } });
  client.start();
}

function deactivate() {
  return client ? client.stop() : undefined;
}

module.exports = { activate, deactivate };
