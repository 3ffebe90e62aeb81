import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const ASK_EVERY_MS = 300;
/** Longer than anything takes on a busy machine: who waits so long waits in vain. */
export const PATIENCE_MS = 10 * 60_000;
const ENDED = new Set(['success', 'error', 'canceled', 'crashed']);

/**
 * What n8n ran, by `rest` of its api. `installed` is n8n's folder: its copy of `flatted` reads the
 * run data that n8n stores.
 */
export function createExecutions(rest, installed) {
	/** The execution with its run data read: `{ id, mode, status, finished, data }`. */
	async function execution(id) {
		const { data, ...found } = await rest('GET', `/executions/${id}`);
		if (typeof data !== 'string') return { ...found, data };
		const flatted = createRequire(path.join(installed, 'package.json'))('flatted');
		return { ...found, data: flatted.parse(data) };
	}

	/**
	 * All executions of a workflow without their data, sub-executions too, newest first. n8n looks
	 * for those that run and those that have ended one after the other, so its list lacks one that
	 * ends in between; it ends once, so a second list has it, or the first one had.
	 */
	async function executionsOf(workflowId) {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const list = async () => {
			const all = [];
			let cursor = '';
			do {
				const page = await rest('GET', `/executions?limit=100&filter=${filter}${cursor}`);
				all.push(...page.results);
				cursor = page.nextCursor ? `&cursor=${encodeURIComponent(page.nextCursor)}` : '';
			} while (cursor);
			return all;
		};
		const found = [...(await list()), ...(await list())].map((one) => [one.id, one]);
		return [...new Map(found).values()].sort((a, b) => Number(b.id) - Number(a.id));
	}

	/** The same without sub-executions, which n8n lists under the workflow that started them. */
	const callersOf = async (workflowId) =>
		(await executionsOf(workflowId)).filter(({ mode }) => mode !== 'integrated');

	async function waitForExecution(id, withinMs = PATIENCE_MS) {
		const deadline = Date.now() + withinMs;
		while (Date.now() < deadline) {
			const found = await execution(id);
			if (ENDED.has(found.status)) return found;
			await pause(ASK_EVERY_MS);
		}
		throw new Error(`Execution ${id} had not finished after ${withinMs / 1000} s.`);
	}

	/** The newest execution of a workflow, once it has ended. */
	async function lastExecution(workflowId) {
		const [{ id }] = await callersOf(workflowId);
		return await waitForExecution(id);
	}

	return { execution, executionsOf, callersOf, waitForExecution, lastExecution };
}

/** The items that a node put out, last run, first output unless told. */
export function itemsOf(execution, nodeName, output = 0) {
	return execution.data.resultData.runData[nodeName]?.at(-1)?.data?.main?.[output] ?? [];
}

/** n8n's own REST interface, as the editor uses it. `installed` is n8n's folder. */
export function createApi(url, installed) {
	let cookie = '';

	async function send(method, place, body) {
		const response = await fetch(`${url}${place}`, {
			method,
			// n8n closes a connection that is idle for five seconds, just as a busy machine may use it again.
			headers: {
				...{ cookie, connection: 'close' },
				...(body && { 'content-type': 'application/json' }),
			},
			body: body ? JSON.stringify(body) : undefined,
		});
		const set = response.headers.getSetCookie?.().find((text) => text.startsWith('n8n-auth='));
		if (set) cookie = set.split(';')[0];
		return response;
	}

	async function rest(method, place, body) {
		const response = await send(method, `/rest${place}`, body);
		const text = await response.text();
		if (response.ok) return JSON.parse(text).data;
		const error = new Error(`n8n answered ${response.status} to ${method} ${place}: ${text}`);
		throw Object.assign(error, { status: response.status });
	}

	/** Makes the owner on a new n8n, signs in on one that has it. */
	async function signIn({ email, password, firstName = 'Sandbox', lastName = 'Owner' }) {
		const login = { emailOrLdapLoginId: email, password };
		return await rest('POST', '/login', login).catch(async (error) => {
			if (error.status !== 401) throw error;
			return await rest('POST', '/owner/setup', { email, password, firstName, lastName });
		});
	}

	const createCredential = (credential) => rest('POST', '/credentials', credential);
	const getWorkflow = (id) => rest('GET', `/workflows/${id}`);

	/** `{ status: 'OK' | 'Error', message }`, by the credential's own test. */
	const testCredential = async ({ name = 'Test', type, data }) =>
		await rest('POST', '/credentials/test', { credentials: { id: '', name, type, data } });

	/** Publishes the saved version and waits until its triggers, not older ones, are live. */
	async function activate(id) {
		const { versionId, activeVersionId } = await getWorkflow(id);
		if (activeVersionId === versionId) return;
		await rest('POST', `/workflows/${id}/activate`, { versionId });
		const deadline = Date.now() + PATIENCE_MS;
		for (;;) {
			const place = `/workflows/${id}/publication-status`;
			const { status, liveVersionId, triggers } = await rest('GET', place);
			if (status === 'published' && liveVersionId === versionId) return;
			if (status === 'failed' || Date.now() > deadline) {
				const reasons = triggers.map(({ errorMessage }) => errorMessage).join(' ');
				throw new Error(`Workflow ${id} is not live (${status}). ${reasons}`);
			}
			await pause(ASK_EVERY_MS);
		}
	}

	/** Calls a production webhook; after n8n's start it may answer a moment later. */
	async function callWebhook(webhookPath, body = {}) {
		const deadline = Date.now() + PATIENCE_MS;
		for (;;) {
			const response = await send('POST', `/webhook/${webhookPath}`, body);
			if (response.status !== 404 || Date.now() > deadline) return response;
			await response.text();
			await pause(ASK_EVERY_MS);
		}
	}

	/** Streams a binary of an execution into a file. */
	async function saveBinary({ id, fileName, mimeType }, target) {
		const query = new URLSearchParams({ id, action: 'download', fileName, mimeType });
		const response = await send('GET', `/rest/binary-data?${query}`);
		if (!response.ok) throw new Error(`n8n answered ${response.status} for the file ${id}.`);
		await pipeline(Readable.fromWeb(response.body), createWriteStream(target));
	}

	return {
		...{ rest, signIn, testCredential, createCredential, getWorkflow, activate },
		...{ callWebhook, saveBinary },
		/** Every node description that the editor gets. */
		nodeTypes: async () => await (await send('GET', '/types/nodes.json')).json(),
		updateCredential: (id, credential) =>
			rest('PATCH', `/credentials/${id}`, { ...credential, isPartialData: false }),
		createWorkflow: (workflow) => rest('POST', '/workflows', workflow),
		updateWorkflow: (id, workflow) => rest('PATCH', `/workflows/${id}`, workflow),
		...createExecutions(rest, installed),
	};
}
