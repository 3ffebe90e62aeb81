// The editor in Chromium, in one n8n, because its start takes longer than most of these tests.
import './editors/form.mjs';
// Before there are credentials that n8n would choose.
import './editors/named.mjs';
import './editors/journey.mjs';
import './editors/runs.mjs';
