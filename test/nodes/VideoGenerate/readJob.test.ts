import type { IDataObject } from 'n8n-workflow';

import { videoGenerateFields } from '../../../nodes/VideoGenerate/fields';
import { createJobReader } from '../../../nodes/VideoGenerate/readJob';
import { createReader } from '../../../nodes/shared/n8n/reader';
import { collectGarbage } from '../../support/garbage';
import { makeRun } from '../../support/makeRun';

/** A job of a node with these parameters and nothing else. */
async function read(parameters: IDataObject, more: object = {}) {
	const set = { model: 'veo', prompt: 'A boat', ...parameters };
	const run = makeRun({ fields: videoGenerateFields, parameters: [set], more });
	const reader = createJobReader(run);
	return await reader.prepare(await reader.read(createReader(run, 0)));
}

const requestOf = async (parameters: IDataObject) => (await read(parameters)).request!.video.fields;

it('nothing set is what the editor shows', async () => {
	expect(await read({})).toMatchObject({
		...{ wait: 'inProcess', pollIntervalMs: undefined, maxWaitMs: 30 * 60_000, concurrency: 10 },
		...{ timeOutFails: true, briefly: false, dryRun: false, rawResponse: false },
		...{ downloadVideo: true, binaryProperty: 'data' },
	});
	expect(await requestOf({})).toEqual({ model: 'veo', prompt: 'A boat' });
});

it('an agent is given less time, and an unfinished task is no failure', async () => {
	const agent = { isToolExecution: () => true, getWorkflowDataProxy: () => ({}) };
	expect(await read({}, agent)).toMatchObject({ timeOutFails: false, briefly: true });
	const options = { maxWait: 1, polling: { onTimeout: 'fail' } };
	const set = { timeOutFails: true, briefly: false, maxWaitMs: 60_000 };
	expect(await read({ options }, agent)).toMatchObject(set);
});

it('false, zero and numbers as text are sent as what they mean', async () => {
	const options = { generateAudio: 'false', seed: '0' };
	const request = await requestOf({ model: 'veo-3.1', duration: '8', options });
	expect(request).toMatchObject({ duration: 8, metadata: { generateAudio: false, seed: 0 } });
});

const LONG = 'a'.repeat(201);

it('a model may have 200 characters', async () => {
	expect(await read({ model: LONG.slice(1) })).toHaveProperty('model', LONG.slice(1));
	await expect(read({ model: LONG })).rejects.toThrow(/^Model must be a name of at most 200/);
});

it.each<[options: IDataObject, says: string]>([
	[{ additionalFields: { model: LONG } }, 'model in Additional Fields (JSON) must be a name of at'],
	[{ additionalFields: { prompt: 7 } }, 'prompt in Additional Fields (JSON) is no text'],
	[{ additionalFields: { PROMPT: null } }, 'PROMPT in Additional Fields (JSON) is misspelled'],
	[{ additionalFields: { Model: 'z' } }, 'Model in Additional Fields (JSON) is misspelled'],
	[{ additionalFields: { metadata: [1] } }, 'metadata in Additional Fields (JSON) must be a JSON'],
])('what cannot be sent is refused by its name: %j', async (options, says) => {
	await expect(read({ options })).rejects.toThrow(says);
});

it('a dry run waits for nothing, and takes nothing that a run refuses', async () => {
	const options = { cost: { dryRun: 'true' } };
	expect(await read({ wait: 'durable', downloadVideo: true, options })).toMatchObject({
		...{ dryRun: true, wait: 'none', downloadVideo: false },
	});
	await expect(read({ wait: 'later', options })).rejects.toThrow(/^Wait must be/);
});

/** Returns the reader of jobs, and what is left of the reader of an item that it has prepared. */
async function prepare(parameters: IDataObject, known: Array<[number, string]> = []) {
	const run = makeRun({ fields: videoGenerateFields, parameters: [parameters] });
	for (const [itemIndex, taskId] of known) run.taskIds.set(itemIndex, taskId);
	const jobs = createJobReader(run);
	const read = createReader(run, 0);
	const job = await jobs.prepare(await jobs.read(read));
	return { jobs, job, left: new WeakRef(read) };
}

it('through the render of a job, nothing holds what its item was read with', async () => {
	const { jobs, job, left } = await prepare({ model: 'veo', prompt: 'A boat' });
	await collectGarbage();
	expect(left.deref()).toBeUndefined();
	expect([jobs, job.request]).toMatchObject([{}, { video: { model: 'veo' } }]);
});

it('an item with a known task can be read once more, with the values that it had', async () => {
	const { jobs, job } = await prepare({ model: 'veo', prompt: 'A boat' }, [[0, 'task_1']]);
	expect(job.request).toBeUndefined();
	const { request } = await jobs.readRequest(job);
	expect(request.video.fields).toMatchObject({ prompt: 'A boat' });
});
