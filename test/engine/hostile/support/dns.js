'use strict';

const dns = require('node:dns');

/** Lets a name resolve to one address, for n8n and for the client of n8n. */
function resolveTo(name, address) {
	const { lookup } = dns.promises;
	const record = { address, family: address.includes(':') ? 6 : 4 };
	return jest
		.spyOn(dns.promises, 'lookup')
		.mockImplementation(async (host, options) =>
			host !== name ? await lookup(host, options) : options?.all ? [record] : record,
		);
}

module.exports = { resolveTo };
