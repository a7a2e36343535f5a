/** Loads the page again after the next build, for which `tools/dev.mjs` lets it wait. No other build has this script. */
const builds = new EventSource('/app/assets/builds');
builds.onmessage = () => location.reload();
