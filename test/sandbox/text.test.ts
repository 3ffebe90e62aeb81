import { Type } from '@google/genai';
import { prompt, TEXT_MODEL } from './support/client';
import { usePublishersClient } from './support/publishersClient';
import { useSandbox } from './support/stage';

// The native text protocol, judged by the client that its inventor publishes.

const stage = useSandbox();
const { generate } = usePublishersClient(stage);
beforeEach(() => stage.sandbox.reset());

describe("the publisher's client", () => {
	it('reads an answer', async () => {
		const answer = await generate('Name a colour');
		expect(answer.text).toBe(
			'You asked: "Name a colour". The sandbox answers instead of a real model.',
		);
		expect(answer.candidates?.[0].finishReason).toBe('STOP');
		expect(answer.modelVersion).toBe(TEXT_MODEL);
		expect(stage.sandbox.requests[0]).toMatchObject({ key: 'header', status: 200 });
	});

	it('gets the instruction, earlier turns and pictures through', async () => {
		const turns = [
			{ role: 'user', parts: [{ text: 'First' }] },
			{ role: 'model', parts: [{ text: 'Answer' }] },
			{
				role: 'user',
				parts: [
					{ text: 'Second' },
					{ inlineData: { mimeType: 'image/png', data: 'aGVsbG8=' } },
					{ fileData: { fileUri: 'https://files.test/a.mp4', mimeType: 'video/mp4' } },
				],
			},
		];
		const { text } = await generate(turns, { systemInstruction: 'Be kind' });
		expect(text).toContain('You asked: "Second"');
		expect(text).toContain('turn 2 of our conversation');
		expect(text).toContain('I was told: "Be kind"');
		expect(text).toContain('image/png (5 bytes), https://files.test/a.mp4');
	});

	it('gets JSON that fits the schema', async () => {
		const { text } = await generate('A bicycle', {
			responseMimeType: 'application/json',
			responseSchema: {
				type: Type.OBJECT,
				properties: {
					title: { type: Type.STRING },
					colour: { type: Type.STRING, enum: ['red', 'blue'] },
					wheels: { type: Type.INTEGER, minimum: 2 },
					price: { type: Type.NUMBER },
					sold: { type: Type.BOOLEAN },
					parts: {
						type: Type.ARRAY,
						minItems: '3',
						items: { type: Type.OBJECT, properties: { name: { type: Type.STRING } } },
					},
				},
			},
		});
		expect(JSON.parse(text ?? '')).toEqual({
			title: 'title: A bicycle',
			colour: 'red',
			wheels: 2,
			price: 1,
			sold: true,
			parts: Array(3).fill({ name: 'name: A bicycle' }),
		});
	});

	it('sees a blocked prompt', async () => {
		const answer = await generate(prompt('Bad words', { blocked: true }));
		expect(answer.promptFeedback?.blockReason).toBe('PROHIBITED_CONTENT');
		expect(answer.candidates).toBeUndefined();
		expect(answer.text).toBeUndefined();
		const other = await generate(prompt('Bad words', { blocked: 'SAFETY' }));
		expect(other.promptFeedback?.blockReason).toBe('SAFETY');
	});

	it('keeps thoughts apart from the answer', async () => {
		const answer = await generate(prompt('Think', { thoughts: 'Hmm.' }));
		expect(answer.candidates?.[0].content?.parts?.[0]).toEqual({ text: 'Hmm.', thought: true });
		expect(answer.text).toMatch(/^You asked: "Think"/);
		expect(answer.usageMetadata?.thoughtsTokenCount).toBe(1);
	});

	it('finds a picture in the answer', async () => {
		const answer = await generate(prompt('Draw', { image: true }));
		const part = answer.candidates?.[0].content?.parts?.at(-1);
		const png = Buffer.from(part?.inlineData?.data ?? '', 'base64');
		expect(png.toString('latin1', 1, 4)).toBe('PNG');
		expect(png.subarray(-8, -4).toString('latin1')).toBe('IEND');
	});

	it('gets errors with their status', async () => {
		await expect(generate(prompt('Wait', { text: ['rateLimited'] }))).rejects.toMatchObject({
			name: 'ApiError',
			status: 429,
		});
		await expect(generate('Hello', undefined, 'no-such-model')).rejects.toMatchObject({
			status: 503,
		});
	});
});
