'use strict';

const { describe, request } = require('../describe');

/** Streams one file into n8n's binary data. */
class FixtureDownload {
	constructor() {
		this.description = describe('Fixture Download');
	}

	async execute() {
		const response = await request(this, {
			url: '/file',
			encoding: 'stream',
			json: false,
			returnFullResponse: true,
		});
		const isStream = typeof response.body.pipe === 'function';
		const data = await this.helpers.prepareBinaryData(response.body, 'film.mp4', 'video/mp4');
		return [[{ json: { isStream }, binary: { data } }]];
	}
}

module.exports = { FixtureDownload };
