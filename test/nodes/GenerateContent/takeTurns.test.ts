import fc from 'fast-check';

import { takeTurns } from '../../../nodes/GenerateContent/takeTurns';

/** What voices have said, in order; each takes some turns of the event loop for it. */
function makeVoices(count: number, slow = 0) {
	const said: string[] = [];
	const pause = async () => {
		for (let i = 0; i < slow; i++) await Promise.resolve();
	};
	const voices = Array.from({ length: count }, (_, i) => ({
		say: async (words: string) => {
			await pause();
			said.push(`${i} ${words}`);
		},
		end: async (ending: string, wasMuted: boolean) => {
			await pause();
			said.push(`${i} ${ending}${wasMuted ? ' muted' : ''}`);
		},
	}));
	return { said, voices };
}

it('the first speaks at once, others once all before them have ended', async () => {
	const { said, voices } = makeVoices(3);
	const [first, second, third] = takeTurns(voices);
	await third.say('c');
	await second.say('b1');
	await second.say('b2');
	await first.say('a1');
	await first.say('a2');
	expect(said).toEqual(['0 a1', '0 a2']);
	await second.end('END');
	expect(said).toHaveLength(2);
	await first.end('END');
	// What was held comes in one piece, and the last one speaks as it goes on.
	expect(said.slice(2)).toEqual(['0 END', '1 b1b2', '1 END', '2 c']);
	await third.say('d');
	expect(said.at(-1)).toBe('2 d');
});

it('nobody who waits for a turn is made to wait', async () => {
	const { voices } = makeVoices(2);
	voices[0].say = async () => await new Promise<void>(() => {});
	const [first, second] = takeTurns(voices);
	void first.say('for ever');
	await second.say('b');
	await second.end('END');
});

it('who has said more than can be held says it at the end', async () => {
	const { said, voices } = makeVoices(3);
	const [first, second, third] = takeTurns(voices, 10);
	await third.say('12345');
	await second.say('123456');
	await second.say('7');
	await third.say('67890');
	await first.say('12345678901');
	await first.end('END');
	await second.say('8');
	await second.end('END');
	expect(said).toEqual(['0 12345678901', '0 END', '1 END muted', '2 1234567890']);
});

/** Of each voice its pieces, each with turns of the event loop before it. */
const pieces = fc.array(
	fc.array(fc.tuple(fc.nat(12), fc.string({ minLength: 1, maxLength: 3 })), { maxLength: 4 }),
	{ minLength: 1, maxLength: 5 },
);

it('in whatever order they speak, all is heard once, in the order of the voices', async () => {
	await fc.assert(
		fc.asyncProperty(pieces, fc.nat(4), async (ofVoices, slow) => {
			const { said, voices } = makeVoices(ofVoices.length, slow);
			const turns = takeTurns(voices);
			const speak = async (own: Array<[number, string]>, i: number) => {
				for (const [turnsBefore, words] of own) {
					for (let turn = 0; turn < turnsBefore; turn++) await Promise.resolve();
					await turns[i].say(words);
				}
				await turns[i].end('\u0000');
			};
			await Promise.all(ofVoices.map(speak));
			const heard = said.map((line) => line.replace(/^\d+ /, '')).join('');
			const spoken = ofVoices.map((own) => own.map(([, words]) => words).join(''));
			expect(heard).toBe(spoken.map((words) => `${words}\u0000`).join(''));
		}),
	);
});
