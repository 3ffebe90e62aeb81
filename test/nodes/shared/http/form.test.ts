import { toForm } from '../../../../nodes/shared/http/form';
import { toReference } from '../../../../nodes/shared/lib/heldFile';

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const REFERENCE = toReference({ mimeType: 'image/png', sizeBytes: 8, hash: 'a'.repeat(64) });

it('a form has a picture as a file, and inside an object as a data URI', () => {
	const request = { image: REFERENCE, frames: [{ image_url: { url: REFERENCE } }], prompt: 'p' };
	const form = toForm(request, new Map([[REFERENCE, PNG]])).bytes.toString('latin1');
	expect(form).toContain(
		`name="image"; filename="image.png"\r\nContent-Type: image/png\r\n\r\n${PNG.toString('latin1')}\r\n`,
	);
	const url = `data:image/png;base64,${PNG.toString('base64')}`;
	expect(form).toContain(`name="frames"\r\n\r\n{"image_url":{"url":"${url}"}}\r\n`);
	expect(form).not.toContain('held-file');
});
