import { arrives, failsWith } from '../row';

const MIB = 1024 * 1024;
const typed = (type: string) => ({ content: { headers: { 'content-type': type } } });
const name = (fileName: string) => ({ options: { fileName } });
const limit = { options: { maxSize: 1 } };
const tooLarge = /larger than the 1 MB that Max Size allows/;

/** Name, type and size of the file. */
export const names = [
	arrives('named after an id that is a path', { oddId: true }, ['all 200'], {
		item: { file_name: expect.stringMatching(/^[^/\\?:]+\.mp4$/) },
	}),
	arrives('named after a long id', { idLength: 400 }, ['all 200'], {
		item: { file_name: expect.stringMatching(/^task_.{141}\.mp4$/) },
	}),
	arrives('named as wanted', {}, ['all 200'], { ...name('ad.mp4'), item: { file_name: 'ad.mp4' } }),
	arrives('named without an extension', {}, ['all 200'], {
		...name('ad'),
		item: { file_name: 'ad.mp4' },
	}),
	arrives('named like a path', {}, ['all 200'], {
		...name('../../etc/cron.d/ad.mp4'),
		item: { file_name: '_.._etc_cron.d_ad.mp4' },
	}),
	arrives(
		'whatever a header calls it',
		{ content: { headers: { 'content-disposition': 'attachment; filename="../../evil.sh"' } } },
		['all 200'],
		{ item: { file_name: expect.stringMatching(/^task_\w+\.mp4$/) } },
	),
	arrives('of another type', typed('video/quicktime'), ['all 200'], {
		item: { mime_type: 'video/quicktime', file_name: expect.stringMatching(/\.mov$/) },
	}),
	arrives('of a type with parameters', typed('Video/WebM; codecs="vp9"'), ['all 200'], {
		item: { mime_type: 'video/webm', file_name: expect.stringMatching(/\.webm$/) },
	}),
	arrives('of a type that is a path', typed('video/../../evil'), ['all 200'], {
		item: { mime_type: 'video/mp4', file_name: expect.stringMatching(/^task_\w+\.mp4$/) },
	}),
	arrives('as large as allowed', { sizeBytes: MIB }, ['all 200'], limit),
	failsWith(
		tooLarge,
		'larger, as its length tells',
		{ sizeBytes: 30 * MIB },
		['all 200, left'],
		limit,
	),
	failsWith(
		tooLarge,
		'larger, and so at its result_url',
		{ sizeBytes: 30 * MIB, resultUrl: 'foreign' },
		['all 200, left'],
		limit,
	),
	failsWith(
		tooLarge,
		'larger, without a length',
		{ sizeBytes: 30 * MIB, content: 'noLength' },
		['all 200, left'],
		{ ...limit, halvesOnVersion1: 1 },
	),
	failsWith(
		tooLarge,
		'larger, as its rest tells',
		{ sizeBytes: 30 * MIB, content: { noLength: true, cutAfterBytes: 1000 } },
		['all cut', 'rest 206, left'],
		{ ...limit, halvesOnVersion1: 1 },
	),
];
