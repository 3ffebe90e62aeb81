import { tone } from '../../../../sandbox/service/textAnswer';
import { onlyItem } from '../support/stage';
import { useStreamStage } from '../support/streamStage';

const { stage, ask, listen } = useStreamStage();

describe('sound without a header', () => {
	it.each([
		['whole', ask, {}],
		['in one chunk', listen, { chunks: 1 }],
		['in seven chunks, cut inside of samples', listen, { chunks: 7 }],
		['whole, though it comes as events', ask, { chunks: 7, wholeForm: 'sse' as const }],
		['with two channels and a rate', ask, { audio: 'audio/pcm; rate=8000; channels=2' }],
	])('is one file that plays: %s', async (_what, send, plan) => {
		const { binary, json } = onlyItem(await send({ audio: true, ...plan }));
		expect(Object.keys(binary!)).toEqual(['data']);
		expect(binary!.data).toMatchObject({ mimeType: 'audio/wav', fileName: 'audio.wav' });
		const wav = await stage.engine.readBinary(binary!.data);
		const [rate, channels] = 'audio' in plan ? [8_000, 2] : [24_000, 1];
		const facts = [wav.readUInt16LE(22), wav.readUInt32LE(24), wav.readUInt16LE(34)];
		expect(facts).toEqual([channels, rate, 16]);
		expect([wav.readUInt32LE(4), wav.readUInt32LE(40)]).toEqual([wav.length - 8, wav.length - 44]);
		expect(wav.subarray(44).equals(tone())).toBe(true);
		expect(json.text).not.toBe('');
	});
});

it('sound with a header stays what it is', async () => {
	const { binary } = onlyItem(await ask({ audio: 'audio/mpeg' }));
	expect(binary!.data).toMatchObject({ mimeType: 'audio/mpeg' });
	expect((await stage.engine.readBinary(binary!.data)).equals(tone())).toBe(true);
});
