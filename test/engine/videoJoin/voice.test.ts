import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { CONTINUE } from '../../support/stage';
import { clipOf, itemOf, join, stage, useEngine, videoJoin } from './support/stage';

// An item whose file is sound is the sound of the film, as n8n's Merge brings them.

useEngine();

const clip = (json: IDataObject = {}, fileName?: string) =>
	itemOf(clipOf('landscape'), json, fileName);

/** Silence as WAV: 24 kHz, mono, 16 bits. */
function sound(json: IDataObject = {}, fileName = 'voice.wav', seconds = 1): INodeExecutionData {
	const head = '524946460000000057415645666d74201000000001000100c05d000080bb00000200100064617461';
	const bytes = Buffer.concat([Buffer.from(head, 'hex'), Buffer.alloc(4 + 48_000 * seconds)]);
	bytes.writeUInt32LE(48_000 * seconds, 40);
	const item = itemOf(bytes, json, fileName);
	// What a node before it calls the file does not matter.
	item.binary!.data.mimeType = 'application/octet-stream';
	return item;
}

const hasVoice = async ({ binary }: INodeExecutionData) =>
	(await stage.engine.readBinary(binary!.data)).includes('fLaC');

it.each([0, 1, 2])('takes an item of sound at place %i', async (place) => {
	const shot = (shot_number: number) => ({ shot_number, shot_count: 2, scene: 'sea' });
	const items: INodeExecutionData[] = [clip(shot(1)), clip(shot(2), 'b.mp4')];
	items.splice(place, 0, sound({ ...shot(1), scene: 'voice' }));
	const result = await join(items);
	expect([result.error, result.hints()]).toEqual([undefined, []]);
	const [film] = result.outputs()[0];
	const [first, second] = [0, 1, 2].filter((item) => item !== place);
	expect(film.json).toMatchObject({
		...{ scene: 'sea', duration_seconds: 5 },
		clips: [
			{ file_name: 'a.mp4', start_seconds: 0, item: first },
			{ file_name: 'b.mp4', start_seconds: 2.5, item: second },
		],
	});
	expect(film.pairedItem).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
	expect(await hasVoice(film)).toBe(true);
});

it('puts a sound on the film of its group', async () => {
	const [red, sea, sky] = ['red', 'sea', 'sky'].map((film) => ({ film }));
	const items = [clip(red), clip(sea), sound(sea), sound(sky)];
	const node = videoJoin({ options: { groupBy: 'film' } }, CONTINUE);
	const [ofRed, ofSea, ofSky] = (await join(items, node)).outputs()[0];
	expect([await hasVoice(ofRed), await hasVoice(ofSea)]).toEqual([false, true]);
	expect(ofSky.json).toMatchObject({
		film: 'sky',
		error: { message: 'Sound (voice.wav) has no clip [item 3]', item_index: 3 },
	});
});

it.each([
	['voice.wav', 'voice.wav'],
	// n8n's editor shows a hint as HTML.
	['<img src=a.png>&.wav', '&lt;img src=a.png&gt;&amp;.wav'],
])('says that a sound ends with its film, by its name: %s', async (name, shown) => {
	const result = await join([clip(), sound({}, name, 3)]);
	const hints = result.hints().map(({ message }) => message);
	expect(hints).toEqual([`Sound (${shown}) is longer than its film, and ends with it.`]);
});

it('refuses two sounds', async () => {
	const { error, outputs } = await join([sound(), clip(), sound({}, 'b.wav')]);
	expect(error?.message).toBe(
		'Sound (b.wav) cannot be added: its film already has sound (voice.wav) [item 2]',
	);
	expect(error).toMatchObject({ description: expect.stringContaining('mix them first') as string });
	expect(outputs()).toEqual([]);
});

describe('a sound beside the clip of its item', () => {
	const beside = (voice: INodeExecutionData, json: IDataObject = {}): INodeExecutionData => {
		const item = clip(json);
		return { ...item, binary: { ...item.binary, voice: voice.binary!.data } };
	};
	const withVoice = (options: IDataObject = {}) =>
		videoJoin({ options: { soundBinaryField: 'voice', ...options } });

	it('is the sound of each film: one clip in two languages', async () => {
		const items = ['en', 'fr'].map((language) =>
			beside(sound({}, `${language}.wav`), { language }),
		);
		const result = await join(items, withVoice({ groupBy: 'language' }));
		expect([result.error, result.hints()]).toEqual([undefined, []]);
		const films = result.outputs()[0];
		expect(films.map(({ json }) => json.language)).toEqual(['en', 'fr']);
		for (const film of films) expect(await hasVoice(film)).toBe(true);
	});

	it('is one sound, if it was carried on to each of the clips', async () => {
		const voice = sound();
		const result = await join([beside(voice), beside(voice), clip()], withVoice());
		expect([result.error, result.hints()]).toEqual([undefined, []]);
		const [film] = result.outputs()[0];
		expect(film.json.clips).toHaveLength(3);
		expect(await hasVoice(film)).toBe(true);
	});

	it.each([
		[
			'of which there are two',
			() => [beside(sound()), beside(sound({}, 'b.wav', 2))],
			/already has/,
		],
		['that no item has', () => [clip()], /^No item of the film has the binary field "voice"/],
		[
			'that is a clip',
			() => [beside(clip({}, 'b.mp4'))],
			/^The file of Sound Binary Field is a clip/,
		],
	])('is refused, %s', async (_what, items, says) => {
		const { error, outputs } = await join(items(), withVoice());
		expect(error?.message).toMatch(says);
		expect(outputs()).toEqual([]);
	});
});
