import type { IDataObject } from 'n8n-workflow';

import { videoGenerateFields } from '../../../nodes/VideoGenerate/fields';
import { createBatch } from '../../../nodes/VideoGenerate/generateVideos';
import { createProgress } from '../../../nodes/VideoGenerate/progress';
import { createJobReader } from '../../../nodes/VideoGenerate/readJob';
import { isFailure } from '../../../nodes/shared/failure/failure';
import { toErrorFields } from '../../../nodes/shared/n8n/output';
import { createReader } from '../../../nodes/shared/n8n/reader';
import { runItems } from '../../../nodes/shared/n8n/runItems';
import { makeRun } from '../../support/makeRun';
import { answer, openWorld, serve } from '../shared/task/support/world';

const SEEDANCE = 'doubao-seedance-1-5-pro-251215';
const RENDER_MS = 60_000;

/** What the service does with a shot, by its prompt; SUCCESS with a last frame without. */
type End = 'unclear' | 'FAILURE' | 'never' | 'no last frame' | 'denied';

/** Video Generate over shots, in executions that begin with what n8n has stored of the last. */
function openStudio() {
	let stored: IDataObject = {};
	const bodies: IDataObject[] = [];
	const ends: Record<string, End | undefined> = {};
	let executions = 0;
	const promptOf = (task_id: string) => String(bodies[Number(task_id.slice(5))].prompt);

	/** One try of the node; a further execution unless it is one of Retry On Fail. */
	const run = async (
		shots: Array<[prompt: string, film: string]>,
		{
			isSameTry = false,
			stopAtMs = Infinity,
			written = { prompt: '={{ first }}' } as IDataObject,
			more = {} as IDataObject,
		} = {},
	) => {
		if (!isSameTry) executions++;
		stored = JSON.parse(JSON.stringify(stored)) as IDataObject;
		const begun = new Set<string>();
		// Only the first shot of a film has a picture of its own; the field of the others is empty.
		const sourceOf = (film: string) => (begun.has(film) ? 'binary' : begun.add(film) && 'none');
		const parameters = shots.map(([prompt, film]) => ({
			...{ model: SEEDANCE, prompt, downloadVideo: false, imageSource: sourceOf(film) },
			...{ options: { chainShots: true, groupBy: 'film' }, ...more },
		}));
		const context = {
			getNode: () => ({ name: 'Node', type: 'videos.videoGenerate', parameters: written }),
			getInputData: () => shots.map(([, film]) => ({ json: { film } })),
		};
		const node = { fields: videoGenerateFields, parameters, more: context };
		const place = { stored, executionId: String(executions), continues: true, node };
		const { time, run, stop } = openWorld(place);
		const began = bodies.length;
		const startedAt = new Map<string, number>();
		const { connection } = serve({
			submit(body) {
				const end = ends[String(body.prompt)];
				startedAt.set(`task_${bodies.length}`, time.now());
				bodies.push(body);
				if (end === 'unclear') return answer(500);
				return answer(200, { task_id: `task_${bodies.length - 1}` });
			},
			fetch(task_id) {
				const end = ends[promptOf(task_id)];
				if (end === 'denied') return answer(401, { error: { message: 'no' } });
				const from = startedAt.get(task_id) ?? -RENDER_MS;
				const isOver = end !== 'never' && time.now() - from >= RENDER_MS;
				const status = !isOver ? 'IN_PROGRESS' : end === 'FAILURE' ? 'FAILURE' : 'SUCCESS';
				const last_frame_url = `https://a.example/${task_id}.png?at=${executions}`;
				const content = end === 'no last frame' ? {} : { last_frame_url };
				const result_url = 'https://a.example/v.mp4';
				return answer(200, { data: { task_id, status, result_url, data: { content } } });
			},
		});
		const jobs = createJobReader(run);
		const progress = createProgress(run);
		const work = runItems(run, jobs.read, (_connection, all) =>
			createBatch(run, connection, all, jobs, progress),
		);
		if (stopAtMs < Infinity) void time.pause(stopAtMs).then(() => stop.abort());
		const { results } = await time.run(work);
		return {
			paid: bodies.slice(began).map(({ prompt }) => prompt),
			failures: results.filter(isFailure).map((failure) => toErrorFields(failure, 0, {}, true)),
			ends: results.map((result) =>
				isFailure(result) ? result.message : result && result.json.status,
			),
		};
	};
	return { run, ends, bodies };
}

const STOPS_AT = 'The video was not submitted: its film stops at ';
const filmOf = (film: string, ...prompts: string[]) =>
	prompts.map((prompt): [string, string] => [prompt, film]);
const FOUR = filmOf('one', 'a', 'b', 'c', 'd');

it('Max Videos per Execution counts all shots behind a changed one before anything is submitted', async () => {
	const { run } = openStudio();
	await run(FOUR);
	const limited = async (maxVideos: number) =>
		await run(filmOf('one', 'a', 'other', 'c', 'd'), {
			written: { prompt: '={{ other }}' },
			more: { options: { chainShots: true, cost: { maxVideos } } },
		});
	const { paid, ends } = await limited(2);
	expect(paid).toEqual([]);
	expect(ends[0]).toBe('This run would submit 3 videos, and Max Videos per Execution is 2');
	expect((await limited(3)).paid).toHaveLength(3);
});

it.each<[End, string]>([
	['unclear', 'because the video may or may not have been accepted: '],
	['FAILURE', 'because the video could not be rendered: '],
	['no last frame', 'which has no last frame'],
])('behind a shot that ends with: %s, nothing is submitted', async (end, why) => {
	const { run, ends } = openStudio();
	ends.b = end;
	const { paid, failures } = await run(FOUR);
	expect(paid).toEqual(['a', 'b']);
	for (const failure of failures.slice(-2)) {
		expect(failure).toMatchObject({
			message: expect.stringContaining(`${STOPS_AT}[item 1], ${why}`) as string,
			description: expect.stringMatching(/^To go on without paying .* billed for this item\.$/),
			...{ billed: 'no', next: 'changeRequest' },
		});
	}
	expect((await run(FOUR, { isSameTry: true })).paid).toEqual(end === 'FAILURE' ? ['b'] : []);
});

it('a shot that cannot be read ends its film, and no other', async () => {
	const { run } = openStudio();
	const { paid, ends } = await run([...filmOf('one', 'a', ' ', 'c'), ['other', 'two']]);
	expect(paid).toEqual(['a', 'other']);
	expect(ends[2]).toMatch(/its film stops at \[item 1\], which has no last frame/);
});

it('a shot that is paid for is followed, though the one before it is lost', async () => {
	const { run, ends } = openStudio();
	await run(FOUR);
	ends.b = 'denied';
	const again = await run(FOUR);
	const lost = expect.stringContaining('task_1') as string;
	expect([again.paid, again.ends]).toEqual([[], ['SUCCESS', lost, 'SUCCESS', 'SUCCESS']]);
});

it('a Stop submits no further shot', async () => {
	const { run, ends } = openStudio();
	ends.b = 'never';
	const { paid, ends: now } = await run(FOUR, { stopAtMs: 1.5 * RENDER_MS });
	expect(paid).toEqual(['a', 'b']);
	expect(now).toEqual(['SUCCESS', 'IN_PROGRESS', undefined, undefined]);
	delete ends.b;
	expect((await run(FOUR)).paid).toEqual(['c', 'd']);
});

describe('before anything is submitted', () => {
	/** What the second shot of a film is refused for, or its dry run. */
	async function second({ options, ...rest }: IDataObject, json: IDataObject = {}) {
		const shot = {
			...{ model: SEEDANCE, prompt: 'A boat', ...rest },
			options: { chainShots: true, ...(options as IDataObject) },
		};
		const run = makeRun({
			...{ fields: videoGenerateFields, parameters: [shot, shot] },
			more: { getInputData: () => [{ json: {} }, { json }] },
		});
		const reader = createJobReader(run);
		return await reader.prepare(await reader.read(createReader(run, 1)));
	}

	const grouped = { options: { groupBy: 'film', chainShots: undefined } };
	const failed = { error: { message: 'no' } };
	it.each<[string, IDataObject, IDataObject, message: string]>([
		['another way to wait', { wait: 'durable' }, {}, 'works with Wait: In Process alone'],
		['a family without last frames', { model: 'kling-v2' }, {}, 'no last frame comes back'],
		['an item without the field of Group By', grouped, {}, 'no text or number in the field "film"'],
		['a shot that comes back alone', {}, failed, 'a shot that has failed cannot come back'],
	])('%s is refused', async (_what, parameters, json, message) => {
		await expect(second(parameters, json)).rejects.toThrow(message);
	});

	it('a dry run shows what stands for the first frame, beside a last frame of its own', async () => {
		const last = { role: 'lastFrame', imageSource: 'url', image: 'https://a.example/end.png' };
		const { request } = await second({ options: { images: [last], cost: { dryRun: true } } });
		expect(request!.video.fields).toMatchObject({
			metadata: {
				return_last_frame: true,
				content: [
					{ role: 'first_frame', image_url: { url: 'last frame of [item 0]' } },
					{ role: 'last_frame', image_url: { url: last.image } },
				],
			},
		});
	});
});
