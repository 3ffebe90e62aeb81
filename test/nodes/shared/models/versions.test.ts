import * as families from '../../../../nodes/shared/models/families/families';
import { versionOf } from '../../../../nodes/shared/models/families/versions';
import { toPlainName } from '../../../../nodes/shared/models/names';

const ALL = families.FAMILIES.flatMap((label) =>
	families
		.familyNamed(label)!
		.versions!.map((version) => ({ label, version, model: version.model })),
);

it.each(ALL)(
	'the version of $model matches it alone, and says what it was checked against',
	(one) => {
		const { label, version, model } = one;
		const row = families.findRow(model)!;
		expect(row.label).toBe(label);
		expect(versionOf(row, toPlainName(model))).toBe(version);
		expect(version.checked).toMatch(/^(before )?20\d\d-\d\d, \S/);
	},
);
