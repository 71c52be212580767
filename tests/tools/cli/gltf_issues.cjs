// Prints what Khronos' validator finds in a glTF file, as JSON. usage: node gltf_issues.cjs FILE
'use strict';
const fs = require('node:fs');
const validator = require('../../third_party/gltf_validator/index.js');

const path = process.argv[2];
validator.validateBytes(new Uint8Array(fs.readFileSync(path)), { uri: path, maxIssues: 100, writeTimestamp: false })
  .then((report) => process.stdout.write(JSON.stringify(report)));
