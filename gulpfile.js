const { dest, src, task } = require('gulp');

// `base` keeps the folder of each icon; without `encoding: false` gulp 5 corrupts PNG files.
task('build:icons', () =>
	src(['icons/**/*.{png,svg}', 'nodes/**/*.{png,svg}'], { base: '.', encoding: false }).pipe(
		dest('dist'),
	),
);
