'use strict';

// One pixel; its base64 has every character that a gateway may stumble over: + and / and =.
const PNG =
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==';
const PNG_URI = `data:image/png;base64,${PNG}`;

/** Where a run serves the picture; records hold the word instead of the address. */
const PICTURES = '{pictures}';

const UNPADDED = PNG.replace(/=+$/, '');

/** A value with pictures and addresses of this run replaced by words, for records. */
function toWords(value, picturesUrl) {
	const text = JSON.stringify(value)
		.replaceAll(picturesUrl, PICTURES)
		.replaceAll(PNG, '{png}')
		.replaceAll(UNPADDED, '{png without padding}');
	return JSON.parse(text);
}

/** The other way round. */
const fromWords = (value, picturesUrl) =>
	JSON.parse(JSON.stringify(value).replaceAll(PICTURES, picturesUrl));

module.exports = { PNG, PNG_URI, PICTURES, UNPADDED, toWords, fromWords };
