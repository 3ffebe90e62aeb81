import { existsSync } from 'node:fs';

export const CHROMIUM = '/usr/bin/chromium';

/** A reason to skip a test, or false: as Node.js's test runner takes it. */
export const skipWithoutChromium = existsSync(CHROMIUM)
	? false
	: `${CHROMIUM} is missing (Debian package: chromium)`;
