import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';
import { ROOT } from '../../sandbox/n8n/folders.mjs';

const MEDIA = path.join(ROOT, '.github', 'media');
const LESS_COLOURS = 'split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=dither=none';

/**
 * Writes a picture for the pages of this repository, in 256 colours, which makes it a third as
 * large. `part` is what of the page it shows; dark ones are called `<name>-dark.png`.
 */
export async function keepPicture(page, name, { theme, part = page }) {
	const file = path.join(MEDIA, `${name}${theme === 'dark' ? '-dark' : ''}.png`);
	const raw = `${file}.raw.png`;
	await mkdir(path.dirname(file), { recursive: true });
	// Away from everything that shows more under the mouse.
	await page.mouse.move(2, 2);
	await part.screenshot({ path: raw, animations: 'disabled' });
	const smaller = ['-vf', LESS_COLOURS, '-compression_level', '9'];
	await execa('ffmpeg', ['-y', '-loglevel', 'error', '-i', raw, ...smaller, file]);
	await rm(raw);
	return path.relative(ROOT, file);
}
