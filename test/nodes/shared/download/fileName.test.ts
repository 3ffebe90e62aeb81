import fc from 'fast-check';

import { toFileName } from '../../../../nodes/shared/download/storeFile';

describe('toFileName', () => {
	it.each<[string, string, string, string, number?]>([
		['ad', 'task_1', 'video/mp4', 'ad.mp4'],
		['', '../../etc/passwd', 'video/mp4', '_.._etc_passwd.mp4'],
		['Version 2.10', '', 'video/mp4', 'Version 2.10.mp4'],
		['', 'task.1a', 'video/webm', 'task.1a.webm'],
		['ad.MP4', '', 'video/webm', 'ad.MP4'],
		['C:\\temp\\ad.mp4', '', 'video/mp4', 'C_temp_ad.mp4'],
		['a\u0000b\nc', '', 'video/mp4', 'a_b_c.mp4'],
		['می\u200cخواهم 👩\u200d💻', '', 'video/mp4', 'می\u200cخواهم 👩\u200d💻.mp4'],
		['', 'task_1', 'image/png', 'task_1.png'],
		['ad.mp4', '', 'image/png', 'ad.png'],
		['ad.PNG', '', 'image/jpeg', 'ad.jpg'],
		['ad.JPEG', '', 'image/jpeg', 'ad.JPEG'],
		['voice.png', '', 'video/mp4', 'voice.mp4'],
		['', 'task_1', 'audio/mpeg', 'task_1.mp3'],
		['', 'task_1', 'image/svg+xml', 'task_1.svg'],
		['', 'task_1', 'audio/x-pcm', 'task_1.pcm'],
		['Version 2.10', '', 'image/png', 'Version 2.10-2.png', 2],
		['ad.mp4', '', 'video/mp4', 'ad-1.mp4', 1],
		['', '', 'audio/mpeg', 'sound.mp3'],
	])('of %p and %p (%s) makes %s', (wanted, task_id, mimeType, name, number = 0) => {
		expect(toFileName(wanted, task_id, mimeType, number)).toBe(name);
	});

	it('never gives a path, a hidden file or a name that is too long', () => {
		const text = fc.string({ unit: 'binary', maxLength: 400 });
		fc.assert(
			fc.property(text, text, (wanted, task_id) => {
				const name = toFileName(wanted, task_id, 'video/mp4');
				expect(name).not.toMatch(/[/\\\p{Cc}\p{Surrogate}]/u);
				expect(name).not.toMatch(/^\./);
				expect([...name].length).toBeLessThanOrEqual(160);
				expect(name).toMatch(/\.\w+$/);
			}),
		);
	});
});
