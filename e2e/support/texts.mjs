import { demoCredentials } from '../../sandbox/demo/credentials.mjs';
import { KEY } from './sandbox.mjs';

/** Makes a credential for text; resolves to it as nodes refer to it. */
export async function putTextCredential({ api, service }) {
	const [, text] = demoCredentials({ baseUrl: service.url, key: KEY });
	const { id } = await api.createCredential(text);
	return { [text.type]: { id, name: text.name } };
}

/** Sends a message to a public chat, as its page does. */
export const sendChat = async (url, webhookId, chatInput, sessionId = webhookId) =>
	await fetch(`${url}/webhook/${webhookId}/chat`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ action: 'sendMessage', sessionId, chatInput }),
	});
