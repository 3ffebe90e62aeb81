import { PICTURE } from '../../sandbox/service/media';
import { problemOf } from '../../sandbox/services/body';
import { judge } from '../../sandbox/services/judge';
import { RECORDS } from '../../sandbox/services/records';
import { startService } from '../../sandbox/services/standIn';
import { call } from './support/client';

const recordOf = (name: string) => RECORDS.find((record) => record.name === name)!;

it.each([
	['APIYI Veo', { seconds: 8 }, 'cannot unmarshal number into field seconds of type string'],
	['APIYI Veo', { seconds: '7' }, 'seconds must be one of 4, 6, 8'],
	['APIYI Veo', { generateAudio: true }, 'INVALID_ARGUMENT'],
	['APIYI Veo', { seconds: '4', metadata: { resolution: '4k' } }, 'seconds must be one of 8'],
	['OctopusX', { size: '16:9' }, 'of type widthxheight'],
	['New API', { width: 1280, height: '720' }, 'string into field height'],
	['token360', { frame_images: 'x' }, 'string into field frame_images'],
	['Crazyrouter GV', { metadata: { resolution: '720p' } }, 'must be one of 720P'],
])('%s refuses %j', (name, fields, words) => {
	const body = { encoding: 'json', fields: { model: 'm', prompt: 'p', ...fields } } as const;
	expect(problemOf(recordOf(name), body)).toContain(words);
});

it('what a page does not document is ignored, and a prompt has to be there', () => {
	const record = recordOf('APIYI Veo');
	const fields = { model: 'm', prompt: 'p', duration: 8, unknown: [] };
	expect(problemOf(record, { encoding: 'json', fields })).toBeUndefined();
	expect(judge(record, { status: 200, fields }, { length: 8 })).toEqual({ length: 'dropped' });
	const without = { ...fields, prompt: '' };
	expect(problemOf(record, { encoding: 'json', fields: without })).toBe('prompt is required');
});

it('a stand-in makes no task without its key, or of what is no JSON', async () => {
	const { url, key, submits, tasks, close } = await startService(recordOf('OctopusX'));
	const post = async (apiKey: string, body: string) =>
		await call(`${url}/v1/video/generations`, {
			...{ method: 'POST', body, headers: { authorization: `Bearer ${apiKey}` } },
		});
	const body = JSON.stringify({ model: 'm', prompt: 'p' });
	const replies = [await post('other', body), await post(key, '<p>'), await post(key, body)];
	await close();
	expect(replies.map(({ status }) => status)).toEqual([401, 400, 200]);
	expect(submits.map(({ status }) => status)).toEqual([401, 400, 200]);
	expect(tasks).toHaveLength(1);
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
