'use strict';

const { existsSync } = require('node:fs');
const http = require('node:http');

const CHROMIUM = '/usr/bin/chromium';
const hasChromium = existsSync(CHROMIUM);

/** Serves a film with ranges, without which no browser seeks. */
function serve(bytes) {
	const server = http.createServer(({ url, headers }, response) => {
		if (url === '/') {
			response.setHeader('content-type', 'text/html');
			return response.end('<video id="film" muted></video>');
		}
		const [, from = '0', to = ''] = /bytes=(\d+)-(\d*)/.exec(headers.range ?? '') ?? [];
		const part = bytes.subarray(Number(from), to ? Number(to) + 1 : bytes.length);
		response.writeHead(headers.range ? 206 : 200, {
			'accept-ranges': 'bytes',
			'content-length': part.length,
			'content-range': `bytes ${from}-${Number(from) + part.length - 1}/${bytes.length}`,
			'content-type': 'video/mp4',
		});
		response.end(part);
	});
	return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/** Runs in the browser. */
async function watch() {
	const film = document.getElementById('film');
	const happens = (name) =>
		new Promise((resolve, reject) => {
			film.addEventListener(name, resolve, { once: true });
			film.addEventListener('error', () => reject(new Error(film.error.message)), { once: true });
		});
	film.src = '/film.mp4';
	await happens('loadedmetadata');
	const ended = happens('ended');
	film.playbackRate = 2;
	await film.play();
	await ended;
	const endedAt = film.currentTime;
	const seeks = [];
	for (const share of [0.9, 0.1, 0.5]) {
		const seeked = happens('seeked');
		film.currentTime = film.duration * share;
		await seeked;
		seeks.push(film.currentTime / film.duration);
	}
	const { videoWidth, videoHeight, duration } = film;
	return { videoWidth, videoHeight, duration, endedAt, seeks };
}

/** Plays a film in Chromium to its end, then seeks to 90, 10 and 50 percent; rejects on any trouble. */
async function play(bytes) {
	const { chromium } = require('playwright-core');
	const server = await serve(bytes);
	const browser = await chromium.launch({
		executablePath: CHROMIUM,
		args: ['--autoplay-policy=no-user-gesture-required', '--no-sandbox'],
	});
	try {
		const page = await browser.newPage();
		await page.goto(`http://127.0.0.1:${server.address().port}/`);
		return await page.evaluate(watch);
	} finally {
		await browser.close();
		server.close();
	}
}

module.exports = { hasChromium, play };
