'use strict';

const { CASES } = require('./cases');
const { COLUMNS } = require('./columns');
const { judge, lostPaths } = require('./judge');
const { shapeOf, toParameters, toTextParameters } = require('./parameters');
const { PNG, fromWords, toWords } = require('./pictures');
const { withTables } = require('./table');
const { TEXT_CASES } = require('./textCases');

// What was recorded by `npm run arrivals -- --record`, and what it takes to repeat it.

const { records: ARRIVALS } = require('../service/gateway/arrivals.json');
const { records: TEXT_ARRIVALS } = require('../service/gateway/textArrivals.json');

module.exports = {
	...{ CASES, COLUMNS, ARRIVALS, judge, shapeOf, toParameters },
	...{ TEXT_CASES, TEXT_ARRIVALS, lostPaths, toTextParameters },
	...{ PNG, fromWords, toWords, withTables },
};
