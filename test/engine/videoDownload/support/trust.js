'use strict';

const tls = require('node:tls');

/**
 * Lets every client of this process trust one more certificate.
 * @param {string} certificate PEM
 * @returns {() => void} the way back
 */
function trust(certificate) {
	const { createSecureContext } = tls;
	tls.createSecureContext = (options) => createSecureContext({ ca: certificate, ...options });
	return () => {
		tls.createSecureContext = createSecureContext;
	};
}

module.exports = { trust };
