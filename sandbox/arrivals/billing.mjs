import { setTimeout as pause } from 'node:timers/promises';

const ASK_EVERY_MS = 3000;
const SETTLED_WITHIN_MS = 240_000;
const ENDED = /^(SUCCESS|FAILURE)$/;
const CONSUMED = 2;
const REFUNDED = 6;

const ask = async (baseUrl, key, path) =>
	await (await fetch(`${baseUrl}${path}`, { headers: { authorization: `Bearer ${key}` } })).json();

/** Waits until models that are billed by tokens are settled, which is when a render has ended. */
export async function waitForSettlement({ baseUrl, key }, taskIds) {
	const open = new Set(taskIds);
	const deadline = Date.now() + SETTLED_WITHIN_MS;
	while (open.size > 0 && Date.now() < deadline) {
		for (const id of open) {
			const { data } = await ask(baseUrl, key, `/v1/video/generations/${id}`);
			if (ENDED.test(data?.status)) open.delete(id);
		}
		await pause(ASK_EVERY_MS);
	}
	return open.size === 0;
}

/** What the key was charged, in the gateway's units, by the request id of the submit and by task. */
export async function readCharges({ baseUrl, key }) {
	const { data: rows = [] } = await ask(baseUrl, key, '/api/log/token');
	const { data: status } = await ask(baseUrl, key, '/api/status');
	const charges = new Map();
	const add = (name, units) => charges.set(name, (charges.get(name) ?? 0) + units);
	for (const { type, quota, request_id: requestId, other } of rows) {
		const units = type === CONSUMED ? quota : type === REFUNDED ? -quota : 0;
		const { task_id: taskId } = JSON.parse(other || '{}');
		add(taskId ?? requestId, units);
	}
	return { charges, perDollar: status.quota_per_unit };
}
