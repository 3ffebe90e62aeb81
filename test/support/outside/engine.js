'use strict';

const { projectService, projectVersion } = require('../engine/core');

const { createEngine } = globalThis.outside.require('../engine/index');

module.exports = { createEngine, projectService, projectVersion };
