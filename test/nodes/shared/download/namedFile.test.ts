import { bodyOf } from './support/body';
import { play, type Answer } from './support/storage';

// A content endpoint that answers JSON with the address of the file (AnyFast Sora).

const CONTENT = 'https://api.example.com/v1/videos/t/content';
const FILE = 'https://files.example.net/a.mp4';

const FILM = Buffer.from('\0\0\0\x0cmoov\0\0\0\0\0\0\0\x08mdat', 'latin1');
const film = (): Answer => ({
	statusCode: 200,
	headers: { 'content-type': 'video/mp4' },
	body: bodyOf([FILM], false),
});
const json = (fields: object): Answer => ({
	statusCode: 200,
	headers: { 'content-type': 'application/json' },
	body: bodyOf([Buffer.from(JSON.stringify(fields))], false),
});

/** Downloads one video; returns its bytes, and where it was asked for, with the key or without. */
async function load(answers: Record<string, () => Answer>, address = CONTENT) {
	const answer = ({ url }: { url: string }) => answers[url]();
	const { requests, stored, result } = await play({ address, answer, options: { retries: 0 } });
	const asked = requests.map(({ url, headers }) => [url, headers?.Authorization !== undefined]);
	return { asked, stored, result };
}

it('is followed, without the key at another origin', async () => {
	// https is another origin than http, and so is another port.
	for (const url of [FILE, 'http://api.example.com/a.mp4', 'https://api.example.com:8443/a.mp4']) {
		const { asked, stored } = await load({
			[CONTENT]: () => json({ download_url: url, url_alias: url }),
			[url]: film,
		});
		expect(asked).toEqual([
			[CONTENT, true],
			[url, false],
		]);
		expect(stored).toEqual([FILM]);
	}
});

it.each<[string, string, object]>([
	['where it tells of a picture', CONTENT, { cover_url: FILE }],
	['into a private network', CONTENT, { url: 'http://10.0.0.1/a.mp4' }],
	['where it is said by another host', FILE, { url: 'https://files.example.net/content' }],
])('is not followed %s', async (_where, address, fields) => {
	const { asked, stored } = await load({ [address]: () => json(fields) }, address);
	expect([asked.length, stored]).toEqual([1, []]);
});

it('is followed once', async () => {
	const next = 'https://api.example.com/v1/videos/u/content';
	const { asked, stored } = await load({
		[CONTENT]: () => json({ url: next }),
		[next]: () => json({ url: FILE }),
	});
	expect([asked.length, stored]).toEqual([2, []]);
});
