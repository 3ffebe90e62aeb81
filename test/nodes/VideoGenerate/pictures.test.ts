import { writePictures } from '../../../nodes/VideoGenerate/pictures';
import type { Reader } from '../../../nodes/shared/n8n/reader';
import type { Takes } from '../../../nodes/shared/models/takes';
import { serviceOf } from '../../../nodes/shared/services/list';

const MB = 1024 ** 2;
const read = {
	choice: () => 'binary',
	refuse: (message: string) => {
		throw new Error(message);
	},
} as unknown as Reader;

const write = async (api: string, mimeType: string, sizeBytes: number) => {
	const data = { mimeType, sizeBytes, hash: 'a'.repeat(64) };
	const role = mimeType.startsWith('image/') ? 'reference' : 'referenceVideo';
	const takes = { pictures: { at: [] } } as unknown as Takes;
	return await writePictures([{ role, data, read }], takes, 'm', {} as never, serviceOf({ api }));
};

// An image goes to fal as a data URI, and a small file to Replicate.
it.each([
	['fal', 'video/mp4', 90, true],
	['fal', 'video/mp4', 91, false],
	['fal', 'image/png', 91, true],
	['replicate', 'video/mp4', 100, true],
	['replicate', 'video/mp4', 101, false],
	['kie', 'image/png', 101, false],
	['wavespeed', 'video/mp4', 101, false],
])('takes a file as large as its service does: %s %s of %i MB', async (api, type, size, fits) => {
	const writing = write(api, type, size * MB);
	if (fits) return expect((await writing).references).toHaveLength(1);
	const most = api === 'fal' ? 90 : 100;
	await expect(writing).rejects.toThrow(
		`The file of Input Binary Field has ${size} MB, and can be uploaded to ${serviceOf({ api }).label} up to ${most} MB`,
	);
});
