'use strict';

module.exports = globalThis.jestRealm.require('../engine/index');
