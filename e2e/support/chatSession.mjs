import { createRequire } from 'node:module';
import path from 'node:path';
import { sendChat } from './agentRuns.mjs';

const HEARTBEAT = 'n8n|heartbeat';
const CONTINUE = 'n8n|continue';
/** n8n takes clicks of programs for previews of a link, and does not count them. */
const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x64) Firefox/140.0' };

/**
 * A public chat whose nodes answer, as its page holds it. `hears` gives the next message: its text,
 * or `{ text, buttons }`; `click` follows a button. `installed` is n8n's folder, with its web sockets.
 */
export async function openChatSession({ url, installed, webhookId }, chatInput) {
	const answer = await (await sendChat(url, webhookId, chatInput)).json();
	const { executionId, resumeToken: token } = answer;
	const WebSocket = createRequire(path.join(installed, 'package.json'))('ws');
	const query = new URLSearchParams({ sessionId: webhookId, executionId, token, isPublic: 'true' });
	const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/chat?${query}`);
	const unheard = [];
	let onMessage;
	const closed = new Promise((resolve) => socket.once('close', resolve));
	socket.on('message', (data) => {
		const text = String(data);
		if (text === HEARTBEAT) return socket.send(`${HEARTBEAT}-ack`);
		if (text === CONTINUE) return undefined;
		unheard.push(text.startsWith('{') ? JSON.parse(text) : text);
		return onMessage?.();
	});

	async function hears() {
		if (unheard.length === 0) {
			const message = new Promise((resolve) => (onMessage = resolve));
			const end = closed.then(() => Promise.reject(new Error('The chat has ended')));
			await Promise.race([message, end]);
		}
		return unheard.shift();
	}
	async function click({ buttons }, label) {
		const { link } = buttons.find(({ text }) => text === label);
		const response = await fetch(link, { headers: BROWSER });
		await response.text();
		return response.status;
	}
	return { executionId, hears, click, close: () => socket.close() };
}
