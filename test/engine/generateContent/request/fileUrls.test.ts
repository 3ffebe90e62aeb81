import { useTextStage } from '../support/stage';

const { bodyOf } = useTextStage();

const file = (fileUri: string, mimeType?: string) => ({
	fileData: mimeType === undefined ? { fileUri } : { fileUri, mimeType },
});

const VIDEO = 'https://www.youtube.com/watch?v=9hE5-98ZeCg';
const STORED = 'https://generativelanguage.googleapis.com/v1beta/files/abc';

describe('file URLs', () => {
	it('go along with the prompt, each with its type', async () => {
		const files = [
			{ url: VIDEO },
			{ url: ' gs://bucket/a.pdf ', mediaType: 'byAddress' },
			{ url: 'https://a.example/b?c', mediaType: 'audio/aac' },
			{ url: STORED, mediaType: '' },
		];
		const parameters = { prompt: 'Compare', options: { fileUrls: { files } } };
		const { contents } = await bodyOf({ parameters });
		expect(contents[0].parts).toEqual([
			file(VIDEO, 'video/*'),
			file('gs://bucket/a.pdf', 'application/pdf'),
			file('https://a.example/b?c', 'audio/aac'),
			file(STORED),
			{ text: 'Compare' },
		]);
	});

	it('may be a list from an expression, and go along without a prompt', async () => {
		const urls = ['https://a.example/a.png', 'https://a.example/b.png'];
		const options = { fileUrls: { files: [{ url: '={{ $json.urls }}' }] } };
		const { contents } = await bodyOf({ parameters: { options }, items: [{ json: { urls } }] });
		expect(contents).toEqual([{ role: 'user', parts: urls.map((url) => file(url, 'image/png')) }]);
	});

	it('may stand in parts of the conversation, in either spelling', async () => {
		const conversationJson = [
			{ role: 'user', parts: [{ file_data: { file_uri: VIDEO } }, { text: 'What is it?' }] },
		];
		const { contents } = await bodyOf({ parameters: { options: { conversationJson } } });
		expect(contents[0].parts).toEqual([file(VIDEO), { text: 'What is it?' }]);
	});
});
