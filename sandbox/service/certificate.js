'use strict';

const { generateKeyPairSync, randomBytes, sign } = require('node:crypto');

// A certificate for 127.0.0.1 and a name, made when a server of the tests starts: Node.js can sign, but
// has no words for X.509 (RFC 5280), and a key in the repository would look like a leaked one.

const DAY_MS = 86_400_000;

/** One element of ASN.1's DER: tag, length, content. */
function der(tag, ...parts) {
	const content = Buffer.concat(parts);
	const { length } = content;
	const size =
		length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length];
	return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts) => der(0x30, ...parts);
const oid = (hex) => der(0x06, Buffer.from(hex, 'hex'));
/** YYMMDDhhmmssZ */
const utcTime = (ms) =>
	der(0x17, Buffer.from(`${new Date(ms).toISOString().slice(2, 19).replace(/\D/g, '')}Z`));

const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'));
const COMMON_NAME = oid('550403');
const SUBJECT_ALT_NAME = oid('551d11');
const ADDRESS = Buffer.from([127, 0, 0, 1]);

/** Returns PEM texts. */
function makeCertificate(host = 'localhost') {
	const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
	const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from('sandbox')))));
	const hosts = sequence(der(0x82, Buffer.from(host)), der(0x87, ADDRESS));
	const now = Date.now();
	const body = sequence(
		der(0xa0, der(0x02, Buffer.from([2]))),
		der(0x02, Buffer.from([1]), randomBytes(8)),
		ECDSA_WITH_SHA256,
		name,
		sequence(utcTime(now - DAY_MS), utcTime(now + 365 * DAY_MS)),
		name,
		publicKey.export({ type: 'spki', format: 'der' }),
		der(0xa3, sequence(sequence(SUBJECT_ALT_NAME, der(0x04, hosts)))),
	);
	const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey));
	const base64 = sequence(body, ECDSA_WITH_SHA256, signature).toString('base64');
	return {
		key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
		cert: `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
	};
}

module.exports = { makeCertificate };
