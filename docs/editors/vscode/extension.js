// Starts `gp5 lsp`. Without the library for it (npm install in this folder) there are colours alone.
const vscode = require('vscode');

let client;

// Resolves when the server answers, or when there is none and the user was told how to name it.
async function activate() {
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
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    vscode.window.showErrorMessage(`${settings.get('path')} lsp does not start; the setting gp5.path names the ` +
      `command. ${error.message || error}`);
  }
}

function deactivate() {
  return client ? client.stop() : undefined;
}

module.exports = { activate, deactivate };
