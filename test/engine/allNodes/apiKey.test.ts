import { createSandbox } from '../../../sandbox/service';
import { until } from '../../support/clock';
import type { EngineNode } from '../../support/engine';
import {
	byId,
	CONTINUE,
	KEY,
	PACKAGE,
	planned,
	plannedRows,
	toInput,
	useStage,
	videoGenerate,
} from '../../support/stage';
import { always } from '../faults/support/faults';
import { serve } from '../services/support/serve';

// The key goes to the origin of its Base URL, and is shown nowhere. Redirects of a download are in
// test/engine/videoDownload/keys.test.ts.

const stage = useStage();

it('is shown nowhere, though the service quotes it everywhere', async () => {
	const error = { error: { message: `Invalid token ${KEY}`, type: 'x', code: '' } };
	const quoting = { status: 401, json: error };
	const rows = plannedRows(
		{ submit: quoting },
		{ poll: always(quoting) },
		{ submit: { status: 500, json: error } },
		{ outcome: 'FAILURE', failReason: `The key ${KEY} may not do this` },
		{},
	);
	const node = videoGenerate(
		{ options: { rawResponse: true, leaveOutInputFields: true } },
		CONTINUE,
	);
	const result = await stage.run(node, rows, { mode: 'manual' });
	const { logs, uiMessages, customData, contextData } = result;
	expect(logs.length).toBeGreaterThan(0);
	const items = JSON.stringify(result.outputs());
	expect(items).toContain('[API key]');
	const shown = JSON.stringify([result.hints(), logs, uiMessages, customData, contextData]);
	// The input holds the plans, which quote the key themselves.
	expect(items + shown).not.toContain(KEY);
});

const OPTIONS = { rawResponse: true, maxWait: 0.003 };
const VIDEO = videoGenerate({ prompt: 'A boat', options: OPTIONS }, CONTINUE);
const TEXT: EngineNode = {
	type: `${PACKAGE}.generateContent`,
	parameters: { model: byId('m'), prompt: 'Hi', options: { rawResponse: true } },
	...CONTINUE,
};
const task = (status: string) => ({
	...{ task_id: 'task_1', status, model: KEY, [KEY]: KEY, fail_reason: `Because ${KEY}` },
	result_url: `http://127.0.0.1:9/?k=${KEY}`,
});
const generated = (...parts: object[]) => ({
	candidates: [{ content: { parts }, finishReason: 'STOP', finishMessage: KEY }],
	modelVersion: KEY,
});
const HALVES = [KEY.slice(0, 5), KEY.slice(5)].map((text) => ({ text }));
const PICTURE = { inlineData: { mimeType: `image/png; key=${KEY}`, data: 'iVBORw0KGgo=' } };

it.each<[string, EngineNode, object]>([
	['the record of a video', VIDEO, task('SUCCESS')],
	['a status of its own', VIDEO, task(KEY)],
	['a text', TEXT, generated(...HALVES)],
	['a file', TEXT, generated(PICTURE)],
	['a block', TEXT, { promptFeedback: { blockReason: KEY, blockReasonMessage: KEY } }],
])('is in no item where %s quotes it', async (_what, node, answer) => {
	const service = await serve(({ path }) => [
		200,
		path.endsWith('/generations') ? { task_id: 'task_1', status: 'queued' } : answer,
	]);
	const access = { baseUrl: service.url, apiKey: KEY };
	const credentials = { videoGenerationApi: access, geminiCompatibleApi: access };
	const result = await stage.engine.run({ node, credentials }).finally(service.close);
	const [{ json, binary }] = result.outputs().flat();
	const messages = result.logs.map(({ message }) => message);
	const shown = JSON.stringify([json, binary, messages, result.hints(), result.customData]);
	expect(shown).toContain('[API key]');
	expect(shown).not.toContain(KEY);
});

it('never goes to another address than its own, where somebody edits the credential meanwhile', async () => {
	const [before, after] = [stage.sandbox, await createSandbox()];
	// n8n reads the credential anew for each request.
	const credential = { baseUrl: before.url, apiKey: KEY };
	const { done } = stage.engine.start({
		node: videoGenerate({ options: { maxWait: 0.05 } }, { onError: 'continueErrorOutput' }),
		items: toInput({ prompt: planned('A boat', { outcome: 'never' }) }),
		credentials: { videoGenerationApi: credential },
	});
	await until(() => before.requests.length >= 2);
	Object.assign(credential, { baseUrl: after.url, apiKey: 'new-key-654321' });
	const error = (await done).outputs().at(-1)![0].json.error;
	await after.close();
	const keys = before.requests.map(({ headers }) => headers.authorization);
	expect(new Set(keys)).toEqual(new Set([`Bearer ${KEY}`]));
	expect(after.requests).toEqual([]);
	expect(error).toMatchObject({ task_id: before.tasks()[0].task_id, next: 'followTask' });
	expect(JSON.stringify(error)).toContain('has another address now');
});
