'use strict';

module.exports = globalThis.outside.require('n8n-workflow');
