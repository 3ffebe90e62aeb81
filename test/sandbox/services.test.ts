import { PICTURE } from '../../sandbox/service/media';
import { judge } from '../../sandbox/services/judge';
import { RECORDS } from '../../sandbox/services/records';
import { startService, type ServiceOptions } from '../../sandbox/services/standIn';
import { toPage } from '../../sandbox/services/writePage';
import { readFile } from './support/client';
import { clientOf, filmOf, toFields, without } from './support/serviceCalls';

type ServiceRecord = (typeof RECORDS)[number];

const recordOf = (name: string) => RECORDS.find((record) => record.name === name)!;

const opened: Array<Awaited<ReturnType<typeof startService>>> = [];
afterEach(async () => {
	await Promise.all(opened.splice(0).map(async (service) => await service.close()));
});

async function open(record: ServiceRecord, options?: ServiceOptions) {
	const service = await startService(record, options);
	opened.push(service);
	const fields = toFields(record, service.pictureUrl);
	const hasFile = record.settings.image?.[0][1] === 'file';
	const encoding = hasFile ? 'form' : record.encodings[0];
	return { service, fields, encoding, client: clientOf(service, record) };
}

it('the page has what npm run write writes', () => {
	expect(readFile('docs/services.md').toString()).toBe(toPage());
});

describe.each(RECORDS)('$name', (record) => {
	it('renders what its page shows, and every setting arrives', async () => {
		const { service, fields, encoding, client } = await open(record);
		const { status, text } = await client.submit(fields, encoding);
		expect([status, text]).toEqual([200, expect.stringContaining('{')]);
		const wanted = {
			...record.example,
			...(record.settings.image && { image: service.pictureUrl }),
		};
		const verdicts = judge(record, service.submits[0], wanted);
		expect(new Set(Object.values(verdicts))).toEqual(new Set(['arrives']));
		const [{ id }] = service.tasks;
		expect(text).toContain(JSON.stringify(id));
		const path = record.pollPaths[0].replace('{id}', encodeURIComponent(id));
		const polls = [];
		for (let n = 0; n < 3; n++) polls.push(await client.get(path));
		expect(polls.map((poll) => poll.status)).toEqual([200, 200, 200]);
		expect(polls[1].text).not.toBe(polls[2].text);
		const film = await filmOf(record, client, polls[2].json, id);
		expect(film.toString('latin1', 4, 8)).toBe('ftyp');
		if (record.file.toldOnce) expect((await client.get(path)).status).toBe(404);
	});

	it('bills nothing without the key, elsewhere, in another encoding or without a prompt', async () => {
		const { service, fields, encoding, client } = await open(record);
		const other = encoding === 'json' ? 'form' : 'json';
		const replies = [
			await client.submit(fields, encoding, undefined, { authorization: 'Bearer no' }),
			await client.submit(fields, encoding, '/v1/nothing'),
			await client.submit(without(fields, 'prompt', 'content'), encoding),
			...(record.encodings.includes(other) ? [] : [await client.submit(fields, other)]),
		];
		const wrong = record.refusal ?? 400;
		const nowhere = { 405: 405, noChannel: 503 }[record.unknownPath as string] ?? 404;
		expect(replies.map(({ status }) => status)).toEqual(
			[401, nowhere, wrong, wrong].slice(0, replies.length),
		);
		expect(replies.map(({ headers }) => 'x-new-api-version' in headers)).toEqual(
			replies.map(() => record.isNewApi === true),
		);
		expect(service.tasks).toEqual([]);
		expect(service.submits.map(({ status }) => status)).toEqual(
			replies.map(({ status }) => status),
		);
	});

	it.each(['fail', 'filtered'] as const)('%s: has no film', async (fault) => {
		const { service, fields, encoding, client } = await open(record, { fault, pollsUntilDone: 0 });
		await client.submit(fields, encoding);
		const [{ id }] = service.tasks;
		const path = record.pollPaths[0].replace('{id}', encodeURIComponent(id));
		const { text } = await client.get(path);
		expect(text).not.toContain('signature=');
		const content = await client.get(`/v1/videos/${encodeURIComponent(id)}/content`);
		expect(content.status).toBeGreaterThanOrEqual(400);
	});
});

it.each([
	['APIYI Veo', { seconds: 8 }, 'cannot unmarshal number into field seconds of type string'],
	['APIYI Veo', { seconds: '7' }, 'seconds must be one of 4, 6, 8'],
	['APIYI Veo', { generateAudio: true }, 'INVALID_ARGUMENT'],
	['APIYI Veo', { seconds: '4', metadata: { resolution: '4k' } }, 'seconds must be one of 8'],
	['OctopusX', { size: '16:9' }, 'of type widthxheight'],
	['New API', { width: 1280, height: '720' }, 'string into field height'],
	['token360', { frame_images: 'x' }, 'string into field frame_images'],
	['Crazyrouter GV', { metadata: { resolution: '720p' } }, 'must be one of 720P'],
])('%s refuses %j', async (name, fields, words) => {
	const { service, client } = await open(recordOf(name));
	const { status, text } = await client.submit({ model: 'm', prompt: 'p', ...fields }, 'json');
	expect([status, text]).toEqual([400, expect.stringContaining(words)]);
	expect(service.tasks).toEqual([]);
});

it('what a page does not document is ignored', async () => {
	const { service, client } = await open(recordOf('APIYI Veo'));
	const fields = { model: 'm', prompt: 'p', duration: 8, unknown: [] };
	expect((await client.submit(fields, 'json')).status).toBe(200);
	expect(judge(recordOf('APIYI Veo'), service.submits[0], { length: 8 })).toEqual({
		length: 'dropped',
	});
});

const wide = { ratio: '16:9', resolution: '720p' };
const image = { image: 'http://a/b.png' };
it.each<[string, object, object, string]>([
	['OctopusX', { size: '1280x720' }, wide, 'arrives arrives'],
	['OctopusX', { size: '720x1280' }, wide, 'dropped arrives'],
	['OctopusX', { size: '1920x1080' }, wide, 'arrives dropped'],
	['New API', { width: 1280, height: 720 }, wide, 'arrives arrives'],
	['New API', { width: 1280 }, wide, 'dropped dropped'],
	['PowerTokens Seedance', { seconds: '5' }, { length: 5 }, 'arrives'],
	['PowerTokens Seedance', { size: '720P' }, { resolution: '720p' }, 'arrives'],
	['PowerTokens Seedance', { resolution: '720p' }, { resolution: '720p' }, 'dropped'],
	['Kapon Sora', { size: '9x16' }, { ratio: '9:16', resolution: '720p' }, 'arrives dropped'],
	['LaoZhang Veo', { model: 'veo-3.1-landscape' }, { ratio: '16:9' }, 'arrives'],
	['LaoZhang Veo', { model: 'veo-3.1', size: '1280x720' }, { ratio: '16:9' }, 'dropped'],
	['APIYI Veo', { metadata: { aspectRatio: '9:16' }, size: '1280x720' }, wide, 'dropped arrives'],
	['APIYI Veo', { input_reference: { bytes: PICTURE } }, image, 'arrives'],
	['APIYI Veo', { input_reference: { bytes: Buffer.from('x') } }, image, 'dropped'],
	[
		'RelayDance',
		{ metadata: { content: [{ image_url: { url: image.image } }] } },
		image,
		'arrives',
	],
	['RelayDance', { image: image.image }, image, 'dropped'],
	['New API', { image: `data:image/png;base64,${PICTURE.toString('base64')}` }, image, 'arrives'],
])('the judge: %s, %j', (name, fields, wanted, verdicts) => {
	const judged = judge(recordOf(name), { status: 200, fields }, wanted);
	expect(Object.values(judged).join(' ')).toBe(verdicts);
});

it('the judge: what was not accepted is refused', () => {
	const record = recordOf('OctopusX');
	const submit = { status: 400, fields: { size: '1280x720' } };
	expect(judge(record, submit, wide)).toEqual({ ratio: 'refused', resolution: 'refused' });
	expect(judge(record, undefined, { length: 5 })).toEqual({ length: 'refused' });
});
