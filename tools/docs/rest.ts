import { checkSearch } from './checkSearch.js';
import { finishSite } from './finishSite.js';
await finishSite().catch((e: unknown) => console.log(String(e).slice(0, 3000)));
await checkSearch();
