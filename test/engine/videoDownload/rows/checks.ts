import { arrives, failsWith } from '../row';

const labelled = (type: string, text: string) => ({
	status: 200,
	headers: { 'content-type': type },
	text,
});
const MP4 = 'video/mp4';
const page = labelled(MP4, '<html><body>Gateway</body></html>');
const noMp4 = /the file is not an MP4/;
const SIX = Array.from({ length: 6 }, () => 'all 200');

/** What comes with 200 and is no whole video. */
export const checks = [
	arrives('an application/octet-stream', { content: 'octetStream' }, ['all 200']),
	arrives(
		'a binary/octet-stream',
		{ content: { headers: { 'content-type': 'binary/octet-stream' } } },
		['all 200'],
	),
	arrives('after a page', { content: 'html200' }, ['all 200', 'all 200']),
	arrives('after JSON', { content: 'json200' }, ['all 200', 'all 200']),
	arrives('after nothing', { content: labelled(MP4, '') }, ['all 200', 'all 200']),
	arrives('after seven bytes', { content: labelled(MP4, '\0\0\0 fty') }, ['all 200', 'all 200']),
	arrives('after a page that is called a video', { content: page }, ['all 200', 'all 200']),
	arrives('after a part that nobody asked for', { content: { ...page, status: 206 } }, [
		'all 206',
		'all 200',
	]),
	failsWith(
		/not in the documented form/,
		'JSON every time',
		{ content: { always: 'json200' } },
		SIX,
	),
	failsWith(
		/answers with a web page/,
		'a page every time',
		{ content: { always: 'html200' } },
		SIX,
	),
	failsWith(noMp4, 'a page that is called a video every time', { content: { always: page } }, SIX),
	failsWith(
		noMp4,
		'JSON that is called an octet-stream every time',
		{ content: { always: labelled('application/octet-stream', '{"error":{"message":"no"}}') } },
		SIX,
	),
	failsWith(
		/sent an empty file/,
		'nothing every time',
		{ content: { always: { status: 204, headers: { 'content-type': MP4 }, text: '' } } },
		SIX.map(() => 'all 204'),
	),
	arrives('short, which its length tells', { content: { cutAfterBytes: 60_000 } }, [
		'all cut',
		'rest 206',
	]),
	arrives('short, which only its boxes tell', { content: 'silentCut' }, ['all cut', 'rest 206']),
	failsWith(
		/the download ended early/,
		'short every time, which only its boxes tell',
		{ range: false, content: { always: { fault: 'silentCut', cutAfterBytes: 51_700 } } },
		SIX.map(() => 'all cut'),
		{
			fields: { description: expect.stringMatching(/ends inside a box after 51700 bytes/) },
			halvesOnVersion1: 6,
		},
	),
];
