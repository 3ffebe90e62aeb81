'use strict';

module.exports = globalThis.jestRealm.require('n8n-workflow');
