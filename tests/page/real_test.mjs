// SPDX-License-Identifier: Apache-2.0
/* The page with profiles of others, where they are there. FIXTURES, ASSAY and PAGE_MODULES: see harness.mjs. */
import { inBrowser, skip } from './harness.mjs';
import { realSubjects } from './subjects.mjs';
import { subjectTests } from './steps.mjs';

await inBrowser(async () => {
    for (const subject of realSubjects) {
        if (subject.missing)
            skip(subject.name, 'n/a: the shared data are not there');
        else
            await subjectTests(subject);
    }
});
