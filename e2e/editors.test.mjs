import './editors/form.mjs';
// Before there are credentials that n8n would choose.
import './editors/editorJourney.mjs';
import './editors/editorRuns.mjs';
